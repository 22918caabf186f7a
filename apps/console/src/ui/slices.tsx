import { Component, type ComponentChildren, createRef } from 'preact';

interface SlicesProps<Item> {
  readonly pages: readonly (readonly Item[])[];
  /** One `li` with its key; another function draws every row again. */
  readonly row: (item: Item, index: number) => ComponentChildren;
}

/** A long list, page by page. What is out of sight is not drawn, and a page that did not change is not drawn again. */
export const Slices = <Item,>({ pages, row }: SlicesProps<Item>) => (
  <div class="slices card">
    {pages.map((page, index) => (
      <Slice key={index} page={page} row={row as SliceProps['row']} />
    ))}
  </div>
);

interface SliceProps {
  readonly page: readonly unknown[];
  readonly row: (item: unknown, index: number) => ComponentChildren;
}

/** So far beyond what is seen pages are drawn. */
const nearSight = '1000px 0px';

interface SliceState {
  /** The height that it has without its rows; null: they are drawn. */
  readonly room: number | null;
}

class Slice extends Component<SliceProps, SliceState> {
  override state: SliceState = { room: null };
  readonly #list = createRef<HTMLUListElement>();
  readonly #observer = new IntersectionObserver((entries) => this.#look(entries.at(-1)!), {
    rootMargin: nearSight,
  });

  override componentDidMount() {
    this.#observer.observe(this.#list.current!);
  }

  override shouldComponentUpdate({ page, row }: Readonly<SliceProps>, { room }: Readonly<SliceState>) {
    return page !== this.props.page || row !== this.props.row || room !== this.state.room;
  }

  override componentWillUnmount() {
    this.#observer.disconnect();
  }

  #look({ isIntersecting, boundingClientRect: { height } }: IntersectionObserverEntry) {
    const list = this.#list.current;
    // Whoever is at a row by the keyboard, or has opened one, stays there.
    const isUsed = list?.contains(document.activeElement) || list?.querySelector('details[open]') != null;
    if (isIntersecting || isUsed) this.setState({ room: null });
    else if (this.state.room === null) this.setState({ room: height });
  }

  render({ page, row }: SliceProps, { room }: SliceState) {
    return (
      <ul class="slice" ref={this.#list} style={room === null ? undefined : { height: `${room}px` }}>
        {room === null && page.map(row)}
      </ul>
    );
  }
}
