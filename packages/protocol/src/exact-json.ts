/** In valid JSON: a text, or a whole number that may be too long for a JavaScript one. */
const textOrLongNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/** The same JSON, where whole numbers whose last digits JavaScript would lose are texts. Only for valid JSON. */
export function withLongNumbersAsTexts(json: string): string {
  if (!/\d{16}/.test(json)) return json;
  return json.replaceAll(textOrLongNumber, (found) =>
    found.startsWith('"') || String(Number(found)) === found ? found : `"${found}"`,
  );
}

/** What JSON says, with long whole numbers as texts. Throws a `SyntaxError`. */
export function parseExactJson(json: string): unknown {
  const value: unknown = JSON.parse(json);
  const exact = withLongNumbersAsTexts(json);
  return exact === json ? value : JSON.parse(exact);
}
