// in: 3 0 19 7 7
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: hash 9ccb35723aaf2298
// cost: 11 instructions, 766945 ticks
module {
  func.func public @main(%arg0: tensor<5xi32>, %arg1: tensor<20x40xf32>) -> (tensor<5x40xf32>) {
    %0 = call @_one_hot(%arg0) : (tensor<5xi32>) -> tensor<5x20xf32>
    %1 = stablehlo.dot_general %0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x20xf32>, tensor<20x40xf32>) -> tensor<5x40xf32>
    return %1 : tensor<5x40xf32>
  }
  func.func private @_one_hot(%arg0: tensor<5xi32>) -> tensor<5x20xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %1 = stablehlo.iota dim = 1 : tensor<1x20xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<5x1xi32>) -> tensor<5x20xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x20xi32>) -> tensor<5x20xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<5x20xi32>, tensor<5x20xi32>) -> tensor<5x20xi1>
    %5 = stablehlo.convert %4 : (tensor<5x20xi1>) -> tensor<5x20xf32>
    return %5 : tensor<5x20xf32>
  }
}
