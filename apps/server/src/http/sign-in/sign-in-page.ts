import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import { escapeHtml } from '../docs/escape-html.ts';
import { type SignInLanguage, signInWords } from './sign-in-words.ts';

/** What whoever signs in reads: that it worked, why it did not, or what they are asked for. */
export type SignInPage =
  | 'signed-in'
  | 'over'
  | 'too-many'
  | { readonly problem: string }
  | { readonly firm: string; readonly name: string; readonly host: string };

/** A page of its own tab, without a script, in a language that the browser asks for. */
export function sendSignInPage(request: Request, response: Response, page: SignInPage): void {
  const nonce = randomBytes(16).toString('base64');
  response.setHeader(
    'content-security-policy',
    // Without form-action: browsers hold it against where a form leads on to, which is known only then.
    `default-src 'none'; img-src data:; style-src 'nonce-${nonce}'; base-uri 'none'; frame-ancestors 'none'`,
  );
  response.setHeader('cache-control', 'no-store');
  response.setHeader('referrer-policy', 'no-referrer');
  response.setHeader('cross-origin-opener-policy', 'same-origin');
  response.setHeader('vary', 'accept-language');
  const language = languageOf(request);
  const { title, body } = contentOf(page, signInWords[language]);
  response.type('html').send(`<!doctype html>
<html lang="${language}" dir="${rightToLeft.has(language) ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`);
}

const languages = Object.keys(signInWords) as SignInLanguage[];
const rightToLeft: ReadonlySet<SignInLanguage> = new Set(['ar', 'he']);

function languageOf(request: Request): SignInLanguage {
  const accepted = request.acceptsLanguages(languages);
  return languages.find((each) => each === accepted) ?? 'en';
}

function contentOf(
  page: SignInPage,
  words: (typeof signInWords)[SignInLanguage],
): { readonly title: string; readonly body: string } {
  if (page === 'signed-in') return { title: words.signedIn, body: `<p>${words.goBack}</p>` };
  if (page === 'over') return { title: words.failed, body: `<p>${words.over}</p>` };
  if (page === 'too-many') return { title: words.failed, body: `<p>${words.tooMany}</p>` };
  if ('problem' in page)
    return {
      title: words.failed,
      // What went wrong at a server of others is said in one language.
      body: `<p lang="en" dir="ltr">${escapeHtml(page.problem)}</p>\n<p class="meta">${words.tryAgain}</p>`,
    };
  const shown = (text: string) =>
    text.replaceAll(/\{(firm|name|host)\}/g, (_, what: 'firm' | 'name' | 'host') => {
      const given = escapeHtml(page[what]);
      return what === 'name' ? given : `<b><bdi>${given}</bdi></b>`;
    });
  return {
    title: shown(words.ask),
    body: `<p>${shown(words.why)}</p>
<p>${words.caution}</p>
<form method="post"><button>${words.goOn}</button></form>
<p class="meta">${words.close}</p>`,
  };
}

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f5f6f8, #101216); color: light-dark(#16181d, #eceef2); }
main { box-sizing: border-box; width: min(28rem, 100vw - 2rem); margin: 1rem; padding: 1.5rem 2rem 1.25rem; border: 1px solid light-dark(#e3e6eb, #2f333d); border-radius: 1rem; background: light-dark(#fff, #17191e); overflow-wrap: anywhere; }
h1 { margin: 0 0 .75rem; font-size: 1.25rem; line-height: 1.3; text-wrap: balance; }
p { margin: 0 0 .75rem; }
.meta { color: light-dark(#5a6070, #a3a9b8); font-size: .875rem; }
button { font: inherit; font-weight: 600; width: 100%; min-height: 2.75rem; margin: .25rem 0 1rem; border: 0; border-radius: .625rem; background: light-dark(#16181d, #eceef2); color: light-dark(#fff, #16181d); cursor: pointer; }
button:focus-visible { outline: 2px solid light-dark(#16181d, #eceef2); outline-offset: 2px; }
`;
