// routines: dot_general
// in: draw 1 -20 1 41
// in: draw 2 -20 1 41
// out: hash ffc20177e2780300
// cost: 0 instructions, 23240 ticks
module {
  func.func public @main(%arg0: tensor<9x20xi32>, %arg1: tensor<20x11xi32>) -> (tensor<9x11xi32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<9x20xi32>, tensor<20x11xi32>) -> tensor<9x11xi32>
    return %0 : tensor<9x11xi32>
  }
}
