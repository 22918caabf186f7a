interface Sample {
  readonly name: string;
  /** Where it belongs. */
  readonly where: string;
  readonly text: string;
}

/** What signs a token on the tenant's own server, with what its language has by itself. */
export const identityCode = (agentId: string): readonly Sample[] => [
  {
    name: 'Node',
    where: 'Give the page what visitorToken returns for whoever is signed in.',
    text: `import { createHmac } from 'node:crypto';

const secret = process.env.PARLEY_IDENTITY_SECRET;
const agent = '${agentId}';

function part(value) {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

export function visitorToken(id) {
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const claims = part({ sub: String(id), aud: agent, exp });
  const signed = part({ alg: 'HS256', typ: 'JWT' }) + '.' + claims;
  const hmac = createHmac('sha256', secret).update(signed);
  return signed + '.' + hmac.digest('base64url');
}`,
  },
  {
    name: 'Python',
    where: 'Give the page what visitor_token returns for whoever is signed in.',
    text: `import base64, hmac, json, os, time

secret = os.environ["PARLEY_IDENTITY_SECRET"].encode()
agent = "${agentId}"

def part(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=")

def json_part(value):
    return part(json.dumps(value).encode())

def visitor_token(id):
    exp = int(time.time()) + 3600
    claims = json_part({"sub": str(id), "aud": agent, "exp": exp})
    signed = json_part({"alg": "HS256", "typ": "JWT"}) + b"." + claims
    signature = part(hmac.digest(secret, signed, "sha256"))
    return (signed + b"." + signature).decode()`,
  },
  {
    name: 'PHP',
    where: 'Give the page what visitor_token returns for whoever is signed in.',
    text: `function visitor_token($id): string
{
    $secret = getenv('PARLEY_IDENTITY_SECRET');
    $agent = '${agentId}';
    $part = fn ($data) =>
        rtrim(strtr(base64_encode($data), '+/', '-_'), '=');
    $header = ['alg' => 'HS256', 'typ' => 'JWT'];
    $claims = ['sub' => (string) $id, 'aud' => $agent, 'exp' => time() + 3600];
    $signed = $part(json_encode($header)) . '.' . $part(json_encode($claims));
    $signature = hash_hmac('sha256', $signed, $secret, true);
    return $signed . '.' . $part($signature);
}`,
  },
  {
    name: 'Ruby',
    where: 'Give the page what visitor_token returns for whoever is signed in.',
    text: `require 'json'
require 'openssl'

def visitor_token(id)
  secret = ENV.fetch('PARLEY_IDENTITY_SECRET')
  agent = '${agentId}'
  part = ->(data) { [data].pack('m0').tr('+/', '-_').delete('=') }
  header = { alg: 'HS256', typ: 'JWT' }
  claims = { sub: id.to_s, aud: agent, exp: Time.now.to_i + 3600 }
  signed = [header, claims].map { |each| part.(each.to_json) }.join('.')
  signature = OpenSSL::HMAC.digest('SHA256', secret, signed)
  signed + '.' + part.(signature)
end`,
  },
];

/** What the page says to the widget: asked again whenever a token has run out. */
export const identifyCode = `<script>
  window.parley =
    window.parley ||
    function () {
      (parley.q = parley.q || []).push(arguments);
    };
  parley('identify', async () => (await fetch('/chat-token')).text());
</script>`;
