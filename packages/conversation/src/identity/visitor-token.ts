/** A token of an identified visitor, signed by the tenant's server; a function is asked again when it has expired. */
export type VisitorToken = string | (() => string | Promise<string>);
