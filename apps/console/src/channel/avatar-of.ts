/** Pixels of a side: what the largest place of the widget shows on a fine screen. */
const side = 112;
/** As the settings take it. */
const maxCharacters = 24_000;
const qualities = [0.9, 0.75, 0.6, 0.4, 0.2];

/** A picture as the settings take it: its middle square, as a small `data:` address. Null: it is none. */
export async function avatarOf(file: Blob): Promise<string | null> {
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(file);
  } catch {
    return null;
  }
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const cut = Math.min(bitmap.width, bitmap.height);
  const [left, top] = [(bitmap.width - cut) / 2, (bitmap.height - cut) / 2];
  canvas.getContext('2d')?.drawImage(bitmap, left, top, cut, cut, 0, 0, side, side);
  bitmap.close();
  for (const quality of qualities) {
    // A browser that writes no WebP writes PNG.
    const made = canvas.toDataURL('image/webp', quality);
    if (made.length <= maxCharacters) return made;
  }
  return null;
}
