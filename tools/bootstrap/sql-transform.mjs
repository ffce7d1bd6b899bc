// Lets jest import a .sql file as its text, as the bundler does.
export default {
  process: (text) => ({ code: `export default ${JSON.stringify(text)};` }),
};
