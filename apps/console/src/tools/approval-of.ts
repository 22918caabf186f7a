/** What only reads runs by itself; about the rest a visitor is asked, until somebody decides otherwise. */
export const approvalOf = (method: string): string =>
  method === 'GET' || method === 'HEAD' ? 'never' : 'always';
