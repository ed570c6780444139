// News: orders that a firm took, each with a correction printed later, and small talk about things that have pages elsewhere.
import type { Order, World } from '../world/world.ts';
import { entity } from './entity-pages.ts';
import { date, number, type Page, slugOf } from './page.ts';
import { siteOf } from './sites.ts';

export function newsPages(world: World): Page[] {
  const orders = world.orders.flatMap((order) => [orderArticle(order), correctionArticle(order)]);
  const talk = world.museums.slice(0, 12).map((museum): Page => {
    const heading = `Long queues at ${museum.name}`;
    return {
      ...articleShell(heading),
      lead: `Our reporter spent a morning at ${museum.name}. The doorkeeper would not be drawn on exact numbers.`,
      links: [entity('museum', museum.name), entity('town', museum.town.name)].flatMap((cell) =>
        cell.kind === 'entity' ? [{ text: cell.value, url: cell.url }] : [],
      ),
    };
  });
  return [...orders, ...talk];
}

export function orderHeading(order: Order): string {
  return `${order.firm.name} wins the ${order.town.name} order for ${order.goods}`;
}

export function correctionHeading(order: Order): string {
  return `Correction to our report on ${order.firm.name} and ${order.town.name}`;
}

function orderArticle(order: Order): Page {
  return {
    ...articleShell(orderHeading(order)),
    lead: `The town council of ${order.town.name} has chosen its supplier. The firm's foreman called it good news for the workshop.`,
    facts: [
      { field: 'Supplier', cell: entity('firm', order.firm.name) },
      { field: 'Buyer', cell: entity('town', order.town.name) },
      { field: 'Pieces ordered', cell: number(order.misprintedPieces) },
      { field: 'Price of a piece', cell: number(order.unitPrice, 'marks') },
      { field: 'Signed on', cell: date(order.signed) },
    ],
    links: [{ text: correctionHeading(order), url: `https://${siteOf('article').host}${pathOf(correctionHeading(order))}` }],
  };
}

function correctionArticle(order: Order): Page {
  return {
    ...articleShell(correctionHeading(order)),
    lead: `Our report on the order of ${order.town.name} held a misprint, for which we apologise. The price was given correctly.`,
    facts: [
      { field: 'Right number of pieces', cell: number(order.pieces) },
      { field: 'Delivery is due on', cell: date(order.due) },
    ],
    links: [{ text: orderHeading(order), url: `https://${siteOf('article').host}${pathOf(orderHeading(order))}` }],
  };
}

function articleShell(heading: string): Page {
  return { kind: 'article', site: siteOf('article'), path: pathOf(heading), heading, lead: '', facts: [], tables: [], prose: [], links: [], paragraphs: 4 };
}

function pathOf(heading: string): string {
  return `/news/${slugOf(heading)}`;
}
