// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 0.25 9.5367431640625e-07 2097152
// in: draw 4 -1 9.5367431640625e-07 2097153
// out: sums 0.69540202 16.5273233 -1.11515799 -9.77254704 1.03679874 -8.64822262 1.43039194 -10.2583817 -1.32045136 -0.0434869881 -2.59620367 -3.70372557 3.82227199 1.65129497 5.56141286 -9.1472024
// out: sums 2.55862278 -6.03762087 14.4333015 3.99773889 2.17055178 3.1954616 -5.1480381 -2.35184615 6.49473995 -5.36495828 -3.18296834 -0.065496044 5.56000064 -10.3772733 3.34272433 -3.52728822
// out: sums 77.1801138 71.5705556 111.817236 86.5905341 66.323596 63.8871886 64.4074583 69.5513799 75.9811081 64.2945815 64.0528024 73.1832742 90.4567459 78.2675982 61.578983 76.7069406
// cost: 20 instructions, 954097 ticks
module {
  func.func public @main(%arg0: tensor<9x70xf32>, %arg1: tensor<9x70xf32>, %arg2: tensor<9x70xf32>, %arg3: tensor<9x70xf32>) -> (tensor<9x70xf32>, tensor<9x70xf32>, tensor<9x70xf32>) {
    %cst = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<9x70xf32>
    %1 = stablehlo.multiply %0, %arg1 : tensor<9x70xf32>
    %2 = stablehlo.sqrt %arg2 : tensor<9x70xf32>
    %cst_0 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<9x70xf32>
    %4 = stablehlo.add %2, %3 : tensor<9x70xf32>
    %5 = stablehlo.divide %1, %4 : tensor<9x70xf32>
    %6 = stablehlo.subtract %arg0, %5 : tensor<9x70xf32>
    %cst_1 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<9x70xf32>
    %8 = stablehlo.multiply %7, %arg1 : tensor<9x70xf32>
    %cst_2 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<9x70xf32>
    %10 = stablehlo.multiply %9, %arg3 : tensor<9x70xf32>
    %11 = stablehlo.add %8, %10 : tensor<9x70xf32>
    %cst_3 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<9x70xf32>
    %13 = stablehlo.multiply %12, %arg2 : tensor<9x70xf32>
    %cst_4 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<9x70xf32>
    %15 = stablehlo.multiply %14, %arg3 : tensor<9x70xf32>
    %16 = stablehlo.multiply %15, %arg3 : tensor<9x70xf32>
    %17 = stablehlo.add %13, %16 : tensor<9x70xf32>
    return %6, %11, %17 : tensor<9x70xf32>, tensor<9x70xf32>, tensor<9x70xf32>
  }
}
