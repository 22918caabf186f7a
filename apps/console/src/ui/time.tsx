const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

export const Time = ({ at }: { readonly at: string }) => (
  <time dateTime={at}>{format.format(new Date(at))}</time>
);
