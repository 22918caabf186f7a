/** Calls the service's settings API. An answer other than 2xx throws, except 404, which is `undefined`. */
export type Settings = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
) => Promise<Record<string, unknown> | undefined>;

export function connectSettings(service: string, adminToken: string): Settings {
  return async (method, path, body) => {
    const response = await fetch(`${service}/api/v1/settings${path}`, {
      method,
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (response.status === 404) return undefined;
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return text ? JSON.parse(text) : {};
  };
}
