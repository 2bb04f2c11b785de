// React components of the web pages: buttons, text fields, badges, dialogs, and loading or error states.
export { Button } from './button.js';
export { TextField } from './text-field.js';
export { Badge, type Tone } from './badge.js';
export { ModalDialog } from './modal-dialog.js';
export { EmptyState, LoadingState, RefusedState } from './page-state.js';
