import { useState } from 'preact/hooks';
import { CardIcon } from '../../ui/card-icon.tsx';
import css from './remote-image.css?inline';
import { safeUrl } from './safe-url.ts';
import { useWidget } from '../../widget-context.ts';

type Props = { destination: string | null; alt: string; open: boolean };

/** An image stays a placeholder that names its host until the reader asks for it: loading one tells its host about the reader. */
function RemoteImage({ destination, alt, open }: Props) {
  const url = safeUrl(destination ?? '');
  const { label } = useWidget();
  const [state, setState] = useState<'asked' | 'loading' | 'failed'>('asked');
  const web = url !== null && /^https?:/.test(url.href);
  if (!web) return <span class="image-text">{alt}</span>;
  if (state === 'failed') {
    return (
      <a href={url.href} target="_blank" rel="noopener noreferrer nofollow ugc">
        {alt || label('image')} ({url.host})
      </a>
    );
  }
  if (state === 'loading') {
    return (
      <img
        class="image"
        src={url.href}
        alt={alt}
        referrerpolicy="no-referrer"
        onError={() => setState('failed')}
      />
    );
  }
  return (
    <button type="button" class="image-placeholder" disabled={open} onClick={() => setState('loading')}>
      <CardIcon name="image" />
      <span class="image-label">
        <span dir="auto">{alt || label('image')}</span>
        <span class="meta">{label('loadImage', { host: url.host })}</span>
      </span>
    </button>
  );
}

export { css, RemoteImage as Component };
