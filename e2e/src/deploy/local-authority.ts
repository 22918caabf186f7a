import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { ensureProgram } from '../ensure-program.ts';

export interface Certificate {
  /** For other processes that are to trust it. */
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

/** A certificate for this machine, signed by an authority of its own that this process trusts from now on. */
export function issueCertificate(folder: string): Certificate {
  const file = (name: string) => join(folder, name);
  const program = ensureProgram('openssl');
  const openssl = (...words: string[]) =>
    execFileSync(program, words, { stdio: ['ignore', 'ignore', 'pipe'] });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl(
    'req', '-x509', ...newKey, '-days', '2', '-subj', '/CN=A local authority',
    '-keyout', file('authority-key.pem'), '-out', file('authority.pem'),
  ); // prettier-ignore
  openssl(
    'req',
    ...newKey,
    '-subj',
    '/CN=localhost',
    '-keyout',
    file('key.pem'),
    '-out',
    file('request.pem'),
  );
  writeFileSync(file('names'), 'subjectAltName=DNS:localhost,DNS:chat.example.com,IP:127.0.0.1\n');
  openssl(
    'x509', '-req', '-days', '2', '-in', file('request.pem'), '-extfile', file('names'), '-CAcreateserial',
    '-CA', file('authority.pem'), '-CAkey', file('authority-key.pem'), '-out', file('certificate.pem'),
  ); // prettier-ignore
  setDefaultCACertificates([...getCACertificates(), readFileSync(file('authority.pem'), 'utf8')]);
  return { authority: file('authority.pem'), certificate: file('certificate.pem'), key: file('key.pem') };
}
