/** A browser that keeps cookies, follows redirects and fills in forms, as far as signing in takes one. */
export class SignInBrowser {
  readonly #cookies = new Map<string, Map<string, string>>();

  keep(url: string, response: Response): void {
    const { host } = new URL(url);
    const own = this.#cookies.get(host) ?? new Map<string, string>();
    this.#cookies.set(host, own);
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(set) ?? [];
      if (value === '') own.delete(name);
      else own.set(name, value);
    }
  }

  cookies(url: string): string {
    return [...(this.#cookies.get(new URL(url).host) ?? [])]
      .map(([name, value]) => `${name}=${value}`)
      .join('; ');
  }

  /** The page that it comes to, or the address at which `isThere` stops it. */
  async open(
    address: string,
    { form, isThere = () => false }: { form?: URLSearchParams; isThere?: (url: URL) => boolean } = {},
  ): Promise<{ readonly url: string; readonly status: number; readonly text: string }> {
    let url = address;
    let body = form;
    for (let hop = 0; hop < 12; hop++) {
      if (hop > 0 && isThere(new URL(url))) return { url, status: 0, text: '' };
      // oxlint-disable-next-line eslint/no-restricted-globals -- a browser asks from outside
      const response = await fetch(url, {
        method: body ? 'POST' : 'GET',
        headers: { cookie: this.cookies(url) },
        redirect: 'manual',
        ...(body && { body }),
      });
      this.keep(url, response);
      const to = response.headers.get('location');
      if (to === null) return { url, status: response.status, text: await response.text() };
      await response.body?.cancel();
      url = new URL(to, url).href;
      body = undefined;
    }
    throw new Error(`It is sent from place to place: ${url}`);
  }

  /** Signs in where an authorization server asks for a name, agrees to all, and stops before it comes back. */
  async signIn(address: string, isThere: (url: URL) => boolean): Promise<string> {
    let page = await this.open(address, { isThere });
    for (let step = 0; step < 4 && page.status !== 0; step++) {
      const action = /<form[^>]*action="([^"]+)"/.exec(page.text)?.[1];
      if (action === undefined) throw new Error(`${page.status} ${page.text.slice(0, 2_000)}`);
      const prompt = /name="prompt" value="([^"]+)"/.exec(page.text)?.[1] ?? 'login';
      const form = new URLSearchParams({ prompt, login: 'ada', password: 'any' });
      page = await this.open(new URL(action, page.url).href, { form, isThere });
    }
    return page.url;
  }
}
