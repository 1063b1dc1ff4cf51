//! The metadata services of clouds, which give the credentials of a machine to every program that runs on it.
//!
//! The policies include this file, too, so it uses only the standard library.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The names of metadata services. Most of them resolve to an address that is refused anyway, but a proxy resolves
/// names itself.
pub const NAMES: &[&str] = &[
    "instance-data",
    "instance-data.ec2.internal",
    "metadata",
    "metadata.azure.com",
    "metadata.azure.internal",
    "metadata.goog",
    "metadata.google.internal",
    "metadata.hetzner.cloud",
    "metadata.internal",
    "metadata.oraclecloud.com",
    "metadata.packet.net",
    "metadata.platformequinix.com",
    "metadata.tencentyun.com",
    "rancher-metadata",
];

/// The IPv4 addresses of metadata services, except the link-local ones.
const V4: &[Ipv4Addr] = &[
    // Alibaba Cloud.
    Ipv4Addr::new(100, 100, 100, 200),
    // Azure's host service: a public address that every virtual machine on Azure can reach.
    Ipv4Addr::new(168, 63, 129, 16),
    // Oracle Cloud.
    Ipv4Addr::new(192, 0, 0, 192),
];

/// The prefixes of the IPv6 addresses of metadata services, except the link-local ones.
const V6: &[(Ipv6Addr, u32)] = &[
    // Amazon.
    (Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0), 32),
    // Google.
    (Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0), 32),
    // Scaleway.
    (Ipv6Addr::new(0xfd00, 0x42, 0, 0, 0, 0, 0, 0x42), 128),
];

/// Whether a metadata service may have the address. This includes all link-local addresses, which most clouds use.
#[must_use]
pub fn has_address(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => v4.is_link_local() || V4.contains(&v4),
        IpAddr::V6(v6) => {
            let within =
                |(prefix, length): &(Ipv6Addr, u32)| (u128::from(v6) ^ u128::from(*prefix)).leading_zeros() >= *length;
            v6.is_unicast_link_local() || V6.iter().any(within)
        }
    }
}
