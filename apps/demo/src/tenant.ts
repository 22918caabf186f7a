/** A tenant of the demo: what it sends to the settings API, and the endpoints of its own server. */
export interface Tenant {
  /** Folder of its site if it has one, first segment of its addresses, and how pages name its publishable key. */
  slug: string;
  name: string;
  /** Body of `POST /agents` but the tenant. */
  agent: Record<string, unknown> & { name: string; model: Record<string, unknown> };
  /** Bodies of `POST /tools` but the agent; their addresses begin at the tenant's own server. */
  tools(server: string): (Record<string, unknown> & { name: string; request: object })[];
  /** Bodies of `POST /sources` but the agent: what it knows. */
  sources?(service: string): Promise<(Record<string, unknown> & { name: string })[]>;
  /** The tenant's own server, which its tools call. `undefined`: no such address. */
  answer(request: TenantRequest): Promise<TenantView | undefined>;
}

export interface TenantRequest {
  /** As in `GET /orders/1042`. */
  route: string;
  body: Record<string, unknown>;
  idempotencyKey: string | undefined;
}

export interface TenantView {
  status: number;
  text: string;
}
