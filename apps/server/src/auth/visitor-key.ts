import { importSPKI } from 'jose';

/** Whether visitor tokens can be verified with this public key. */
export async function isVisitorKey(pem: string): Promise<boolean> {
  try {
    await importSPKI(pem, 'ES256');
    return true;
  } catch (error) {
    // What WebCrypto throws for bytes that are no such key depends on what is wrong with them.
    if (error instanceof Error) return false;
    throw error;
  }
}
