import style from './assets/docs.css';
import script from './assets/docs.browser.js';
import icon from './assets/icon.svg';

/** The assets of the pages; none comes from elsewhere. */
export const ASSETS = {
  'docs.css': { contentType: 'text/css; charset=utf-8', text: style },
  'docs.js': { contentType: 'text/javascript; charset=utf-8', text: script },
  'icon.svg': { contentType: 'image/svg+xml', text: icon },
} as const;
