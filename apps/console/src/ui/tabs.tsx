import { useCurrentInView } from './use-current-in-view.ts';

interface TabsProps {
  /** Of what they are. */
  readonly of: string;
  readonly tabs: readonly { readonly name: string; readonly href: string; readonly isHere: boolean }[];
}

/** The parts of a screen, each with an address. */
export function Tabs({ of, tabs }: TabsProps) {
  const row = useCurrentInView(tabs.find(({ isHere }) => isHere)?.href ?? '');
  return (
    <nav class="tabs" aria-label={of} ref={row}>
      {tabs.map(({ name, href, isHere }) => (
        <a key={href} href={href} aria-current={isHere ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}
