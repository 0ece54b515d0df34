// out: 0 1 2 3 4 5 6 7 8 9 10 11
// out: hash 41e1350b90b924c1
// out: 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1
// cost: 9 instructions, 672495 ticks
module {
  func.func public @main() -> (tensor<3x4xi32>, tensor<130x2xf32>, tensor<4x4xf32>) {
    %0 = stablehlo.iota dim = 0 : tensor<12xi32>
    %1 = stablehlo.reshape %0 : (tensor<12xi32>) -> tensor<3x4xi32>
    %cst = stablehlo.constant dense<2.500000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<130x2xf32>
    %3 = stablehlo.iota dim = 0 : tensor<4x4xi32>
    %4 = stablehlo.iota dim = 1 : tensor<4x4xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x4xi32>
    %6 = stablehlo.add %3, %5 : tensor<4x4xi32>
    %7 = stablehlo.compare EQ, %6, %4, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %8 = stablehlo.convert %7 : (tensor<4x4xi1>) -> tensor<4x4xf32>
    return %1, %2, %8 : tensor<3x4xi32>, tensor<130x2xf32>, tensor<4x4xf32>
  }
}
