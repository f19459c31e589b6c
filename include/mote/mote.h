// Mote: a meshless physics library. This header includes the whole public interface of libmote.
#ifndef MOTE_H
#define MOTE_H

#include <mote/approx.h>
#include <mote/base.h>
#include <mote/deform.h>
#include <mote/elastic.h>
#include <mote/foam.h>
#include <mote/formula.h>
#include <mote/fracture.h>
#include <mote/fragments.h>
#include <mote/geom.h>
#include <mote/keys.h>
#include <mote/lattice.h>
#include <mote/numeric.h>
#include <mote/scene.h>
#include <mote/search.h>
#include <mote/snapshot.h>
#include <mote/steer.h>
#include <mote/surface.h>
#include <mote/text.h>
#include <mote/track.h>
#include <mote/view.h>
#include <mote/world.h>

#endif
