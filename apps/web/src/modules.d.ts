declare module '*.module.css' {
  const names: Readonly<Record<string, string>>;
  export default names;
}
declare module '*.css';
declare module 'lucide:*' {
  /** The drawing inside of the `svg` element. */
  const body: string;
  export default body;
}
