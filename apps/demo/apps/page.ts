import '../sites/base.css';
import '../sites/scenes/scenes.css';

const { content, dataset } = document.querySelector<HTMLMetaElement>('meta[name=parley]')!;

/** Whom to talk to: the demo fills it into the page. */
export const service = content;
export const key = dataset.key ?? '';
