import { type Connection, readObject, requestInTime, type RequestOptions } from './connection.ts';

/** A POST that is told what came of it. */
export async function control<Status>(
  connection: Connection,
  path: string,
  body: unknown,
  options: RequestOptions | undefined,
): Promise<Status> {
  const { status } = await requestInTime(connection, path, { body, ...options }, (response) =>
    readObject(response, options?.signal),
  );
  return status as Status;
}
