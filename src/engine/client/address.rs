//! Which network addresses may be a model server. Asked of every address a user writes, and again of every address that
//! a name leads to, so that a name can't stand for one that would be refused. Pure; imports std.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Names under which cloud machines tell their credentials to whoever asks from inside.
const METADATA_NAMES: [&str; 6] = [
    "metadata",
    "metadata.google.internal",
    "metadata.goog",
    "instance-data",
    "instance-data.ec2.internal",
    "metadata.azure.internal",
];

/// The same as numbers, where they are outside the link-local networks: Alibaba, Azure, Oracle, and AWS over IPv6.
const METADATA_V4: [Ipv4Addr; 3] =
    [Ipv4Addr::new(100, 100, 100, 200), Ipv4Addr::new(168, 63, 129, 16), Ipv4Addr::new(192, 0, 0, 192)];
const METADATA_V6: Ipv6Addr = Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254);

/// Why no model server is asked at this address; `None` if it may be asked.
pub fn refused(address: IpAddr) -> Option<&'static str> {
    match plain(address) {
        IpAddr::V4(ip) if METADATA_V4.contains(&ip) => Some(METADATA),
        IpAddr::V4(ip) if ip.is_link_local() => Some(LINK_LOCAL),
        IpAddr::V4(ip) if ip.is_unspecified() => {
            Some("it means every address of a machine, not one of them; for this machine write 127.0.0.1")
        }
        IpAddr::V4(ip) if ip.octets()[0] == 0 => Some(NO_HOST),
        IpAddr::V4(ip) if ip.is_multicast() => Some(MULTICAST),
        // 240.0.0.0/4 with the broadcast address
        IpAddr::V4(ip) if ip.octets()[0] >= 240 => Some(NO_HOST),
        IpAddr::V4(_) => None,
        IpAddr::V6(METADATA_V6) => Some(METADATA),
        IpAddr::V6(ip) if ip.is_unicast_link_local() => Some(LINK_LOCAL),
        IpAddr::V6(ip) if ip.is_unspecified() => {
            Some("it means every address of a machine, not one of them; for this machine write [::1] or 127.0.0.1")
        }
        IpAddr::V6(ip) if ip.is_multicast() => Some(MULTICAST),
        // the abandoned site-local network
        IpAddr::V6(ip) if ip.segments()[0] & 0xffc0 == 0xfec0 => Some(NO_HOST),
        IpAddr::V6(_) => None,
    }
}

const METADATA: &str = "a cloud machine tells its credentials there; no model server is asked there";
const LINK_LOCAL: &str = "link-local addresses hold no model servers, but can hold a cloud machine's credentials";
const MULTICAST: &str = "multicast addresses are many machines at once; name one";
const NO_HOST: &str = "no machine can have this address";

/// Why no model server is asked under this name; `None` if it may be looked up.
pub fn refused_name(name: &str) -> Option<&'static str> {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    METADATA_NAMES.contains(&name.as_str()).then_some(METADATA)
}

/// An IPv4 address that is written inside an IPv6 one (mapped, compatible, 6to4, NAT64) is taken out.
pub fn plain(address: IpAddr) -> IpAddr {
    let IpAddr::V6(ip) = address else { return address };
    let four = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        IpAddr::V4(Ipv4Addr::new(a, b, c, d))
    };
    match ip.segments() {
        [0, 0, 0, 0, 0, 0xffff, high, low] => four(high, low),
        // ::1 and :: are themselves
        [0, 0, 0, 0, 0, 0, high, low] if high != 0 => four(high, low),
        [0x0064, 0xff9b, 0, 0, 0, 0, high, low] => four(high, low),
        [0x2002, high, low, ..] => four(high, low),
        _ => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_targets_are_refused_in_every_spelling() {
        for (text, word) in [
            ("169.254.169.254", "link-local"),
            ("169.254.0.1", "link-local"),
            ("::ffff:169.254.169.254", "link-local"),
            ("::169.254.169.254", "link-local"),
            ("64:ff9b::a9fe:a9fe", "link-local"),
            ("2002:a9fe:a9fe::1", "link-local"),
            ("fe80::1", "link-local"),
            ("febf::1", "link-local"),
            ("0.0.0.0", "127.0.0.1"),
            ("::", "[::1]"),
            ("::ffff:0.0.0.0", "127.0.0.1"),
            ("0.1.2.3", "no machine"),
            ("224.0.0.1", "multicast"),
            ("239.255.255.250", "multicast"),
            ("ff02::1", "multicast"),
            ("255.255.255.255", "no machine"),
            ("240.0.0.1", "no machine"),
            ("fec0::1", "no machine"),
            ("100.100.100.200", "credentials"),
            ("168.63.129.16", "credentials"),
            ("192.0.0.192", "credentials"),
            ("fd00:ec2::254", "credentials"),
        ] {
            let why = refused(text.parse().unwrap()).unwrap_or_else(|| panic!("{text} is let through"));
            assert!(why.contains(word), "{text}: {why}");
        }
    }

    #[test]
    fn machines_on_every_network_are_asked() {
        for text in [
            "127.0.0.1",
            "127.9.9.9",
            "10.0.0.5",
            "172.16.0.1",
            "192.168.1.5",
            "100.64.0.7",
            "8.8.8.8",
            "::1",
            "fd00::1",
            "2001:db8::1",
            "::ffff:127.0.0.1",
            "::ffff:192.168.1.5",
        ] {
            assert_eq!(refused(text.parse().unwrap()), None, "{text}");
        }
    }

    #[test]
    fn metadata_names_are_refused_and_look_alikes_are_not() {
        for name in ["metadata.google.internal", "METADATA.google.internal.", "metadata", "instance-data"] {
            assert!(refused_name(name).is_some(), "{name}");
        }
        for name in ["metadata.example.com", "box.internal", "localhost"] {
            assert!(refused_name(name).is_none(), "{name}");
        }
    }
}
