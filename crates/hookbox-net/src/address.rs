//! The IP addresses that a hook may connect to.
//!
//! The standard library's own tests for this (`is_global` and others) are unstable, so this module has a table of
//! prefixes from IANA's special-purpose registries. The addresses of the [metadata services](crate::metadata) of clouds
//! are checked first.

use crate::metadata;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The kind of place that an address leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressClass {
    /// The public internet.
    Public,
    /// This machine or a private network: allowed by a rule with `private = true`.
    Private,
    /// Never allowed: link-local, metadata services, multicast, reserved, tunnels.
    Never,
}

use AddressClass::{Never, Private, Public};

/// IPv4 prefixes. The first row that matches decides.
const V4: &[(Ipv4Addr, u32, AddressClass)] = &[
    // This network.
    (Ipv4Addr::new(0, 0, 0, 0), 8, Never),
    (Ipv4Addr::new(10, 0, 0, 0), 8, Private),
    // Carrier-grade NAT.
    (Ipv4Addr::new(100, 64, 0, 0), 10, Private),
    // Loopback.
    (Ipv4Addr::new(127, 0, 0, 0), 8, Private),
    // Link-local.
    (Ipv4Addr::new(169, 254, 0, 0), 16, Never),
    (Ipv4Addr::new(172, 16, 0, 0), 12, Private),
    // IETF protocol assignments.
    (Ipv4Addr::new(192, 0, 0, 0), 24, Never),
    // Documentation.
    (Ipv4Addr::new(192, 0, 2, 0), 24, Never),
    // AS112.
    (Ipv4Addr::new(192, 31, 196, 0), 24, Never),
    // AMT.
    (Ipv4Addr::new(192, 52, 193, 0), 24, Never),
    // 6to4 relays.
    (Ipv4Addr::new(192, 88, 99, 0), 24, Never),
    (Ipv4Addr::new(192, 168, 0, 0), 16, Private),
    // AS112.
    (Ipv4Addr::new(192, 175, 48, 0), 24, Never),
    // Benchmarking.
    (Ipv4Addr::new(198, 18, 0, 0), 15, Never),
    // Documentation.
    (Ipv4Addr::new(198, 51, 100, 0), 24, Never),
    (Ipv4Addr::new(203, 0, 113, 0), 24, Never),
    // Multicast.
    (Ipv4Addr::new(224, 0, 0, 0), 4, Never),
    // Reserved, and broadcast.
    (Ipv4Addr::new(240, 0, 0, 0), 4, Never),
];

/// IPv6 prefixes. The first row that matches decides; addresses that no row matches are never allowed.
const V6: &[(Ipv6Addr, u32, AddressClass)] = &[
    // Loopback.
    (Ipv6Addr::new(0, 0, 0, 0, 0, 0, 0, 1), 128, Private),
    // Unique local.
    (Ipv6Addr::new(0xfc00, 0, 0, 0, 0, 0, 0, 0), 7, Private),
    // Teredo, benchmarking, ORCHID, DRIP.
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23, Never),
    // Documentation.
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32, Never),
    // 6to4.
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16, Never),
    // AS112.
    (Ipv6Addr::new(0x2620, 0x4f, 0x8000, 0, 0, 0, 0, 0), 48, Never),
    // Documentation.
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20, Never),
    // Global unicast.
    (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3, Public),
];

/// The well-known prefix of NAT64: the last 32 bits are an IPv4 address.
const NAT64: (Ipv6Addr, u32) = (Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96);

/// Whether a connection to the address is allowed, for a rule with or without `private = true`.
#[must_use]
pub fn is_allowed(address: IpAddr, private: bool) -> bool {
    match classify(address) {
        Public => true,
        Private => private,
        Never => false,
    }
}

/// Classifies an address. IPv6 forms that embed an IPv4 address are judged by that address.
#[must_use]
pub fn classify(address: IpAddr) -> AddressClass {
    match address {
        IpAddr::V4(v4) => classify_v4(v4),
        IpAddr::V6(v6) => classify_v6(v6),
    }
}

fn classify_v4(address: Ipv4Addr) -> AddressClass {
    if metadata::has_address(address.into()) {
        return Never;
    }
    let bits = u32::from(address);
    let row = V4.iter().find(|(prefix, length, _)| (bits ^ u32::from(*prefix)).leading_zeros() >= *length);
    row.map_or(Public, |(_, _, class)| *class)
}

fn classify_v6(address: Ipv6Addr) -> AddressClass {
    if let Some(v4) = address.to_ipv4_mapped() {
        return classify_v4(v4);
    }
    if metadata::has_address(address.into()) {
        return Never;
    }
    let bits = u128::from(address);
    let within = |prefix: Ipv6Addr, length: u32| (bits ^ u128::from(prefix)).leading_zeros() >= length;
    if within(NAT64.0, NAT64.1) {
        let [.., a, b, c, d] = address.octets();
        // RFC 6052, 3.1 forbids this prefix for private addresses.
        return match classify_v4(Ipv4Addr::new(a, b, c, d)) {
            Public => Public,
            Private | Never => Never,
        };
    }
    V6.iter().find(|(prefix, length, _)| within(*prefix, *length)).map_or(Never, |(_, _, class)| *class)
}
