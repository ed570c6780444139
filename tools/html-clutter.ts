// Which elements of a page are not its text, by what the page says of itself: tag, role, hidden marks, class and id.

const SKIPPED = new Set(
  'SCRIPT STYLE NOSCRIPT TEMPLATE NAV ASIDE FOOTER FORM BUTTON SELECT INPUT TEXTAREA IFRAME SVG CANVAS DIALOG HEAD AUDIO VIDEO OBJECT'.split(' '),
);
const SKIPPED_ROLES = new Set(['dialog', 'alertdialog', 'navigation', 'banner', 'contentinfo', 'complementary', 'search']);
const SKIPPED_CLASS = /^(?:cookie|consent|gdpr|advert|ads?$|ad-|sponsor|promo|newsletter|popup|modal|share|social|breadcrumb|sidebar|skip-link)/i;

export function isSkipped(element: Element): boolean {
  const tag = element.tagName.toUpperCase();
  if (SKIPPED.has(tag)) return true;
  // A header inside an article carries its heading; one outside carries the site's.
  if (tag === 'HEADER' && element.closest('main, article') === null) return true;
  if (element.hasAttribute('hidden') || element.getAttribute('aria-hidden') === 'true') return true;
  if (SKIPPED_ROLES.has(element.getAttribute('role') ?? '')) return true;
  const marks = `${element.getAttribute('class') ?? ''} ${element.getAttribute('id') ?? ''}`;
  return marks !== ' ' && marks.split(/\s+/).some((mark) => SKIPPED_CLASS.test(mark));
}
