/** The address of a file at the service of this conversation; none for a file that is elsewhere. */
export function fileAddress(baseUrl: string, url: string | undefined): string | undefined {
  const [path] = /\/[\w-]+\/v1\/file\/[\w-]+$/.exec(url ?? '') ?? [];
  return path && baseUrl + path;
}
