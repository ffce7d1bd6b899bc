import ReactMarkdown from 'react-markdown';
import rehypeSanitize from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';

/** Its own file: the parser loads with the first text that needs it. */
export function MarkdownView({ text }: { readonly text: string }) {
  return (
    <ReactMarkdown
      remarkPlugins={[remarkGfm]}
      rehypePlugins={[rehypeSanitize]}
      // An image would be a request to another server, and headings of a text are none of the page.
      disallowedElements={['img', 'input']}
      components={{
        h1: 'h3',
        h2: 'h3',
        h4: 'h3',
        h5: 'h3',
        h6: 'h3',
        a: ({ href, children }) => (
          <a href={href} target="_blank" rel="noreferrer noopener">
            {children}
          </a>
        ),
      }}
    >
      {text}
    </ReactMarkdown>
  );
}
