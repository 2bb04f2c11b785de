declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>;
  // A bundler names the classes of a style in its default export.
  // oxlint-disable-next-line pos/banned-syntax
  export default classes;
}
