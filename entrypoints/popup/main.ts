import CheckPanel from '#components/check/CheckPanel.vue';
import { mountPage } from '#entrypoints/page/mount';

const field = document.querySelector<HTMLTextAreaElement>('#code');
/** What was typed into the static page meanwhile. */
const typed = field?.value
  ? { text: field.value, start: field.selectionStart, end: field.selectionEnd }
  : undefined;

mountPage(CheckPanel, { props: { typed } });
