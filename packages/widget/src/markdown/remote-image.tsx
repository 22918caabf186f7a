import { useState } from 'preact/hooks';
import { Icon } from '../icon.tsx';
import { labels } from '../labels.ts';
import type { SafeUrl } from './safe-url.ts';

/** An image stays a placeholder that names its host until the reader asks for it: loading one tells its host about the reader. */
export function RemoteImage({ url, alt, open }: { url: SafeUrl | null; alt: string; open: boolean }) {
  const [loaded, setLoaded] = useState(false);
  const web = url !== null && /^https?:/.test(url.href);
  if (!web) return <span class="image-text">{alt}</span>;
  if (loaded) return <img class="image" src={url.href} alt={alt} referrerpolicy="no-referrer" />;
  return (
    <button type="button" class="image-placeholder" disabled={open} onClick={() => setLoaded(true)}>
      <Icon name="image" />
      <span class="image-label">
        <span dir="auto">{alt || labels.image}</span>
        <span class="meta">{labels.loadImage(url.host)}</span>
      </span>
    </button>
  );
}
