// Lets jest import a file that is no module (.sql, .css) as its text, as the bundler does.
export default {
  process: (text) => ({ code: `export default ${JSON.stringify(text)};` }),
};
