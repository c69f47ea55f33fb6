"""The heads of modules that are verified as packages of one module."""

OLD = "import numpy as np\nimport ctypes, os, sys\n"
NEW = "import torch\nimport numpy as np\nimport ctypes, os, sys\nfrom np2torch import shim\n"
