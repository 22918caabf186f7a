/** The conversation that a page at `?restored` begins with. */
export async function loadHistory(): Promise<{ question: string; answer: string }[]> {
  return location.search === '?restored' ? await (await fetch('/history')).json() : [];
}
