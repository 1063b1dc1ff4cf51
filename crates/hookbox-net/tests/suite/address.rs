//! Tests each row of the table of addresses, at both edges and one address beyond them.

use hookbox_net::address::AddressClass::{self, Never, Private, Public};
use hookbox_net::address::{classify, is_allowed};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The first and the last address of a range, its class, and the classes of the neighbours before and after it.
type Row = (&'static str, &'static str, AddressClass, Option<AddressClass>, Option<AddressClass>);

const ROWS: &[Row] = &[
    ("0.0.0.0", "0.255.255.255", Never, None, Some(Public)),
    ("10.0.0.0", "10.255.255.255", Private, Some(Public), Some(Public)),
    ("100.64.0.0", "100.100.100.199", Private, Some(Public), Some(Never)),
    ("100.100.100.200", "100.100.100.200", Never, Some(Private), Some(Private)),
    ("100.100.100.201", "100.127.255.255", Private, Some(Never), Some(Public)),
    ("127.0.0.0", "127.255.255.255", Private, Some(Public), Some(Public)),
    ("168.63.129.16", "168.63.129.16", Never, Some(Public), Some(Public)),
    ("169.254.0.0", "169.254.255.255", Never, Some(Public), Some(Public)),
    ("172.16.0.0", "172.31.255.255", Private, Some(Public), Some(Public)),
    ("192.0.0.0", "192.0.0.255", Never, Some(Public), Some(Public)),
    ("192.0.2.0", "192.0.2.255", Never, Some(Public), Some(Public)),
    ("192.31.196.0", "192.31.196.255", Never, Some(Public), Some(Public)),
    ("192.52.193.0", "192.52.193.255", Never, Some(Public), Some(Public)),
    ("192.88.99.0", "192.88.99.255", Never, Some(Public), Some(Public)),
    ("192.168.0.0", "192.168.255.255", Private, Some(Public), Some(Public)),
    ("192.175.48.0", "192.175.48.255", Never, Some(Public), Some(Public)),
    ("198.18.0.0", "198.19.255.255", Never, Some(Public), Some(Public)),
    ("198.51.100.0", "198.51.100.255", Never, Some(Public), Some(Public)),
    ("203.0.113.0", "203.0.113.255", Never, Some(Public), Some(Public)),
    ("224.0.0.0", "239.255.255.255", Never, Some(Public), Some(Never)),
    ("240.0.0.0", "255.255.255.255", Never, Some(Never), None),
    ("::", "::", Never, None, Some(Private)),
    ("::1", "::1", Private, Some(Never), Some(Never)),
    ("::2", "::fffe:ffff:ffff", Never, Some(Private), Some(Never)),
    // Mapped addresses are classified by the IPv4 address.
    ("::ffff:0.0.0.0", "::ffff:0.255.255.255", Never, Some(Never), Some(Public)),
    ("::ffff:10.0.0.0", "::ffff:10.255.255.255", Private, Some(Public), Some(Public)),
    ("::ffff:240.0.0.0", "::ffff:255.255.255.255", Never, Some(Never), Some(Never)),
    // NAT64 addresses are classified by the IPv4 address, but are never private.
    ("64:ff9b::0.0.0.0", "64:ff9b::0.255.255.255", Never, Some(Never), Some(Public)),
    ("64:ff9b::10.0.0.0", "64:ff9b::10.255.255.255", Never, Some(Public), Some(Public)),
    ("64:ff9b::240.0.0.0", "64:ff9b::255.255.255.255", Never, Some(Never), Some(Never)),
    ("64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", Never, Some(Never), Some(Never)),
    ("100::", "100::ffff:ffff:ffff:ffff", Never, Some(Never), Some(Never)),
    ("2000::", "2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Public, Some(Never), Some(Never)),
    ("2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", Never, Some(Public), Some(Public)),
    ("2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", Never, Some(Public), Some(Public)),
    ("2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Never, Some(Public), Some(Public)),
    ("2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff", Never, Some(Public), Some(Public)),
    ("3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", Never, Some(Public), Some(Public)),
    ("3fff:1000::", "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Public, Some(Never), Some(Never)),
    ("5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Never, Some(Never), Some(Never)),
    ("fc00::", "fd00:42::41", Private, Some(Never), Some(Never)),
    ("fd00:42::42", "fd00:42::42", Never, Some(Private), Some(Private)),
    ("fd00:42::43", "fd00:ec1:ffff:ffff:ffff:ffff:ffff:ffff", Private, Some(Never), Some(Never)),
    ("fd00:ec2::", "fd00:ec2:ffff:ffff:ffff:ffff:ffff:ffff", Never, Some(Private), Some(Private)),
    ("fd00:ec3::", "fd20:cd:ffff:ffff:ffff:ffff:ffff:ffff", Private, Some(Never), Some(Never)),
    ("fd20:ce::", "fd20:ce:ffff:ffff:ffff:ffff:ffff:ffff", Never, Some(Private), Some(Private)),
    ("fd20:cf::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Private, Some(Never), Some(Never)),
    ("fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Never, Some(Never), Some(Never)),
    ("fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Never, Some(Never), Some(Never)),
    ("ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Never, Some(Never), None),
];

fn step(address: IpAddr, by: i8) -> IpAddr {
    match address {
        IpAddr::V4(v4) => Ipv4Addr::from(u32::from(v4).checked_add_signed(by.into()).unwrap()).into(),
        IpAddr::V6(v6) => Ipv6Addr::from(u128::from(v6).checked_add_signed(by.into()).unwrap()).into(),
    }
}

#[test]
fn each_range_ends_where_it_should() {
    for (first, last, class, before, after) in ROWS {
        let (first, last): (IpAddr, IpAddr) = (first.parse().unwrap(), last.parse().unwrap());
        assert_eq!(classify(first), *class, "{first}");
        assert_eq!(classify(last), *class, "{last}");
        if let Some(before) = before {
            assert_eq!(classify(step(first, -1)), *before, "before {first}");
        }
        if let Some(after) = after {
            assert_eq!(classify(step(last, 1)), *after, "after {last}");
        }
    }
}

#[test]
fn private_opens_private_addresses_alone() {
    for (first, ..) in ROWS {
        let address: IpAddr = first.parse().unwrap();
        let (closed, open) = match classify(address) {
            Public => (true, true),
            Private => (false, true),
            Never => (false, false),
        };
        assert_eq!(is_allowed(address, false), closed, "{address}");
        assert_eq!(is_allowed(address, true), open, "{address}");
    }
}
