/** However it is written: what stands after a plus sign, dots and capitals lead to the same mailbox with many providers. */
export function mailboxOf(address: string): string {
  const [user = '', host = ''] = address.toLowerCase().split('@');
  return `${user.replace(/\+.*$/, '').replaceAll('.', '')}@${host === 'googlemail.com' ? 'gmail.com' : host}`;
}
