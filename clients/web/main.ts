// Starts the page. The secret in the address, if there is one, is taken out of it before anything is drawn or sent.
import './page.js';
