/** Whether somebody may be written to: an address, all of a domain, or everybody. Case tells no two apart. */
export function mayReceive(recipients: readonly string[], address: string): boolean {
  const to = address.toLowerCase();
  return recipients.some((recipient) => {
    const allowed = recipient.toLowerCase();
    return allowed === '*' || (allowed.startsWith('@') ? to.endsWith(allowed) : to === allowed);
  });
}
