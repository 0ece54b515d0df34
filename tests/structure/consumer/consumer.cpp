// Uses an installed Trainyard: prints the text of an error and where the machine files are.
#include <cstdio>

#include "base/error.h"

int main() {
  const trainyard::base::Violation violation{"consumer.c1", "links", "", "", ""};
  const trainyard::base::InputError error(violation);
  std::printf("%s\n%s\n", error.what(), MACHINES);
}
