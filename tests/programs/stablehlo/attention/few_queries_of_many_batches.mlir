// tolerance: 0.02
// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// in: draw 3 -1 0.0078125 257
// out: sums -0.0244075656 -0.193699285 0.104602367 -0.378369797 -0.0471699834 0.725614227 0.345878085 1.29424727 0.0982901454 0.847284191 0.225303942 -0.401311964 -0.667896563 -0.372792751 -1.44374138 -0.673928771
// cost: 234 instructions, 6737784 ticks
module {
  func.func public @main(%arg0: tensor<40x1x32xbf16>, %arg1: tensor<40x128x32xbf16>, %arg2: tensor<40x128x32xbf16>) -> (tensor<40x1x32xbf16>) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<40x1x32xbf16>, tensor<40x128x32xbf16>) -> tensor<40x1x128xf32>
    %cst = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<40x1x128xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<40x1x128xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [2] : (tensor<40x1x128xf32>, tensor<f32>) -> tensor<40x1xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<40x1xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<40x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<40x1xf32>) -> tensor<40x1x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<40x1x1xf32>) -> tensor<40x1x128xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<40x1x128xf32>
    %9 = stablehlo.exponential %8 : tensor<40x1x128xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<40x1x128xf32>, tensor<f32>) -> tensor<40x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<40x1xf32>) -> tensor<40x1x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<40x1x1xf32>) -> tensor<40x1x128xf32>
    %13 = stablehlo.divide %9, %12 : tensor<40x1x128xf32>
    %14 = stablehlo.convert %13 : (tensor<40x1x128xf32>) -> tensor<40x1x128xbf16>
    %15 = stablehlo.dot_general %14, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<40x1x128xbf16>, tensor<40x128x32xbf16>) -> tensor<40x1x32xbf16>
    return %15 : tensor<40x1x32xbf16>
  }
}
