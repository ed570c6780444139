// Loads an optional writer package, or says which command brings it.
import { GaugeError } from '../../../base/error.ts';
import { DOCUMENT_PACKAGES, installCommandOf } from '../../../base/install-command.ts';

/**
 * @param load imports the package, so that its types come along
 * @throws GaugeError MISSING_PACKAGE naming the package, with the command that brings all that documents need
 */
export async function writerPackage<Loaded>(name: string, load: () => Promise<Loaded>): Promise<Loaded> {
  try {
    return await load();
  } catch (cause) {
    throw new GaugeError('MISSING_PACKAGE', `building a task set needs the package ${name}, which cannot be loaded`, {
      remedy: installCommandOf(DOCUMENT_PACKAGES),
      cause,
    });
  }
}
