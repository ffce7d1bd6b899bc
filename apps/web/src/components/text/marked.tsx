interface MarkedProps {
  readonly text: string;
  /** Begin and end of each marked part, in UTF-16 units. */
  readonly marks: readonly (readonly number[])[];
}

/** A text with marked words. Whatever the text holds, it stays text. */
export function Marked({ text, marks }: MarkedProps) {
  const parts = [];
  let at = 0;
  for (const [begin = 0, end = 0] of marks) {
    if (begin < at || end > text.length) continue;
    parts.push(text.slice(at, begin), <mark key={begin}>{text.slice(begin, end)}</mark>);
    at = end;
  }
  return (
    <bdi>
      {parts}
      {text.slice(at)}
    </bdi>
  );
}
