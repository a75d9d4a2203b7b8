// Which web pages and host names may reach the server. Always true: an Origin that is sent must be the server's own or on
// the config's list; a Host must be an address, a loopback name or on the list, so that a rebound DNS name finds nothing.
// Pure.

export interface OriginRules {
  readonly origins: readonly string[];
  readonly hosts: readonly string[];
}

/** The host name of a Host header without its port; undefined when the header makes none. */
function hostName(host: string): string | undefined {
  const match = /^(\[[0-9a-fA-F:.]+\]|[^:/\s]+)(?::\d{1,5})?$/.exec(host);
  return match?.[1]?.toLowerCase();
}

const IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/;

/** True when the Host header names this server: an IP address can't be rebound, `localhost` neither. */
export function hostAllowed(host: string | undefined, rules: OriginRules): boolean {
  if (host === undefined) return false;
  const name = hostName(host);
  if (name === undefined) return false;
  if (IPV4.test(name) || name.startsWith('[') || name === 'localhost' || name.endsWith('.localhost'))
    return true;
  return rules.hosts.some(
    (known) => known.toLowerCase() === name || known.toLowerCase() === host.toLowerCase(),
  );
}

/** True when there is no Origin, it is the server's own, or it is on the list. */
export function originAllowed(
  origin: string | undefined,
  host: string | undefined,
  rules: OriginRules,
): boolean {
  if (origin === undefined) return true;
  if (rules.origins.includes(origin)) return true;
  const match = /^https?:\/\/([^/]+)$/.exec(origin);
  return match !== null && host !== undefined && match[1]?.toLowerCase() === host.toLowerCase();
}
