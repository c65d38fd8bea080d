import ipaddr from "ipaddr.js";

/** What a cloud's machines reach of their provider's own: credentials, settings, updates. */
export interface CloudService {
  readonly provider: string;
  /** As it is called in a message. */
  readonly what: string;
  /** Single addresses, or ranges as `ADDRESS/BITS`. */
  readonly addresses: readonly string[];
  /** Names that lead to it, in lower case. */
  readonly names: readonly string[];
  /** Where its provider, or who builds on it, describes it. */
  readonly page: string;
}

/**
 * Services of clouds for their own machines. Most have addresses that are private anyway, and stand here so that a refusal can say what they are;
 * those of Azure, Equinix Metal and IBM are public ones, which lead somewhere from inside the cloud only.
 */
export const cloudServices: readonly CloudService[] = [
  {
    provider: "Azure",
    what: "the host of a virtual machine (WireServer)",
    addresses: ["168.63.129.16"],
    names: [],
    page: "https://learn.microsoft.com/en-us/azure/virtual-network/what-is-ip-address-168-63-129-16",
  },
  {
    provider: "IBM Cloud",
    what: "service endpoints of a virtual private cloud",
    addresses: ["161.26.0.0/16", "166.8.0.0/14"],
    names: [],
    page: "https://cloud.ibm.com/docs/vpc?topic=vpc-service-endpoints-for-vpc",
  },
  {
    provider: "IBM Cloud",
    what: "the metadata service",
    addresses: ["169.254.169.254"],
    names: ["api.metadata.cloud.ibm.com"],
    page: "https://cloud.ibm.com/apidocs/vpc-metadata",
  },
  {
    provider: "Equinix Metal",
    what: "the metadata service",
    addresses: ["192.80.8.124"],
    names: ["metadata.platformequinix.com", "metadata.packet.net"],
    page: "https://deploy.equinix.com/developers/docs/metal/server-metadata/metadata/",
  },
  {
    provider: "AWS",
    what: "the metadata service",
    addresses: ["169.254.169.254", "169.254.170.2", "169.254.170.23", "fd00:ec2::254", "fd00:ec2::23"],
    names: ["instance-data", "instance-data.ec2.internal"],
    page: "https://docs.aws.amazon.com/whitepapers/latest/ipv6-on-aws/supporting-amazon-vpc-services.html",
  },
  {
    provider: "Google Cloud",
    what: "the metadata service",
    addresses: ["169.254.169.254", "fd20:ce::254"],
    names: ["metadata", "metadata.google.internal", "metadata.goog"],
    page: "https://cloud.google.com/compute/docs/troubleshooting/troubleshoot-metadata-server",
  },
  {
    provider: "Oracle Cloud",
    what: "the metadata service",
    addresses: ["169.254.169.254", "192.0.0.192", "fd00:c1::a9fe:a9fe"],
    names: [],
    page: "https://docs.oracle.com/en-us/iaas/Content/Compute/Tasks/gettingmetadata.htm",
  },
  {
    provider: "Alibaba Cloud",
    what: "the metadata service",
    addresses: ["100.100.100.200"],
    names: [],
    page: "https://www.alibabacloud.com/help/doc-detail/141788.htm",
  },
  {
    provider: "Tencent Cloud",
    what: "the metadata service",
    addresses: ["169.254.0.23"],
    names: ["metadata.tencentyun.com"],
    page: "https://intl.cloud.tencent.com/document/product/213/4934",
  },
  {
    provider: "Scaleway",
    what: "the metadata service",
    addresses: ["169.254.42.42", "fd00:42::42"],
    names: [],
    page: "https://docs.cloud-init.io/en/latest/reference/datasources/scaleway.html",
  },
];

type Range = readonly [service: CloudService, range: [ipaddr.IPv4 | ipaddr.IPv6, number]];

const ranges: readonly Range[] = cloudServices.flatMap((service) =>
  service.addresses.map((text): Range => {
    if (text.includes("/")) return [service, ipaddr.parseCIDR(text)];
    const address = ipaddr.parse(text);
    return [service, [address, address.kind() === "ipv4" ? 32 : 128]];
  }),
);

/** The first service that has an address, an IPv4 one inside an IPv6 one taken out. */
export function cloudServiceAt(address: ipaddr.IPv4 | ipaddr.IPv6): CloudService | undefined {
  return ranges.find(([, [base, bits]]) => base.kind() === address.kind() && address.match(base, bits))?.[0];
}

/** The service that a name leads to inside a cloud. */
export function cloudServiceNamed(hostname: string): CloudService | undefined {
  const name = hostname.toLowerCase().replace(/\.$/, "");
  return cloudServices.find(({ names }) => names.includes(name));
}
