// tolerance: 0.02
// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// in: draw 3 -1 0.0078125 257
// out: sums -1.1518162 0.187191002 0.814112157 -0.522945225 0.656491939 -0.684075028 -0.162227318 -0.276278466 -1.09255338 -0.368955195 0.688006513 0.00467916578 0.159693569 0.499031823 0.604106121 -0.407989074
// cost: 104 instructions, 1822821 ticks
module {
  func.func public @main(%arg0: tensor<6x2x3x64xbf16>, %arg1: tensor<6x2x256x64xbf16>, %arg2: tensor<6x2x256x64xbf16>) -> (tensor<6x2x3x64xbf16>) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<6x2x3x64xbf16>, tensor<6x2x256x64xbf16>) -> tensor<6x2x3x256xf32>
    %cst = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x2x3x256xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<6x2x3x256xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<6x2x3x256xf32>, tensor<f32>) -> tensor<6x2x3xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<6x2x3xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<6x2x3xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<6x2x3xf32>) -> tensor<6x2x3x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<6x2x3x1xf32>) -> tensor<6x2x3x256xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<6x2x3x256xf32>
    %9 = stablehlo.exponential %8 : tensor<6x2x3x256xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<6x2x3x256xf32>, tensor<f32>) -> tensor<6x2x3xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<6x2x3xf32>) -> tensor<6x2x3x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<6x2x3x1xf32>) -> tensor<6x2x3x256xf32>
    %13 = stablehlo.divide %9, %12 : tensor<6x2x3x256xf32>
    %14 = stablehlo.convert %13 : (tensor<6x2x3x256xf32>) -> tensor<6x2x3x256xbf16>
    %15 = stablehlo.dot_general %14, %arg2, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<6x2x3x256xbf16>, tensor<6x2x256x64xbf16>) -> tensor<6x2x3x64xbf16>
    return %15 : tensor<6x2x3x64xbf16>
  }
}
