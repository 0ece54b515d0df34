// tolerance: 0.0005
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// in: draw 4 -1 9.5367431640625e-07 2097153
// in: draw 5 -1 9.5367431640625e-07 2097153
// out: sums 34.1059639 29.2654056 0.228249939 -3.10971384 10.4989127 -10.1135726 57.0746001 -10.7093141 14.7316882 -65.2373588 10.1490372 -23.2075631 78.9454413 -85.2333594 28.2923246 -1.75101036
// cost: 48 instructions, 1568140 ticks
module {
  func.func public @main(%arg0: tensor<24x32xf32>, %arg1: tensor<32x32xf32>, %arg2: tensor<32x32xf32>, %arg3: tensor<32x32xf32>, %arg4: tensor<32x32xf32>) -> (tensor<24x32xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24x32xf32>, tensor<32x32xf32>) -> tensor<24x32xf32>
    %1 = stablehlo.reshape %0 : (tensor<24x32xf32>) -> tensor<24x2x16xf32>
    %2 = stablehlo.transpose %1, dims = [1, 0, 2] : (tensor<24x2x16xf32>) -> tensor<2x24x16xf32>
    %3 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24x32xf32>, tensor<32x32xf32>) -> tensor<24x32xf32>
    %4 = stablehlo.reshape %3 : (tensor<24x32xf32>) -> tensor<24x2x16xf32>
    %5 = stablehlo.transpose %4, dims = [1, 0, 2] : (tensor<24x2x16xf32>) -> tensor<2x24x16xf32>
    %6 = stablehlo.dot_general %arg0, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24x32xf32>, tensor<32x32xf32>) -> tensor<24x32xf32>
    %7 = stablehlo.reshape %6 : (tensor<24x32xf32>) -> tensor<24x2x16xf32>
    %8 = stablehlo.transpose %7, dims = [1, 0, 2] : (tensor<24x2x16xf32>) -> tensor<2x24x16xf32>
    %9 = stablehlo.iota dim = 0 : tensor<24xi32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<24xi32>) -> tensor<24x1xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<24x1xi32>
    %12 = stablehlo.add %10, %11 : tensor<24x1xi32>
    %13 = stablehlo.iota dim = 0 : tensor<24xi32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [1] : (tensor<24xi32>) -> tensor<1x24xi32>
    %15 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<24x1xi32>) -> tensor<24x24xi32>
    %16 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<1x24xi32>) -> tensor<24x24xi32>
    %17 = stablehlo.compare GE, %15, %16, SIGNED : (tensor<24x24xi32>, tensor<24x24xi32>) -> tensor<24x24xi1>
    %18 = stablehlo.dot_general %2, %5, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x24x16xf32>, tensor<2x24x16xf32>) -> tensor<2x24x24xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x24x24xf32>
    %20 = stablehlo.multiply %18, %19 : tensor<2x24x24xf32>
    %cst_0 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %21 = call @_where(%17, %20, %cst_0) : (tensor<24x24xi1>, tensor<2x24x24xf32>, tensor<f32>) -> tensor<2x24x24xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %22 = stablehlo.reduce(%21 init: %cst_1) applies stablehlo.maximum across dimensions = [2] : (tensor<2x24x24xf32>, tensor<f32>) -> tensor<2x24xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x24xf32>
    %24 = stablehlo.maximum %23, %22 : tensor<2x24xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1] : (tensor<2x24xf32>) -> tensor<2x24x1xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<2x24x1xf32>) -> tensor<2x24x24xf32>
    %27 = stablehlo.subtract %21, %26 : tensor<2x24x24xf32>
    %28 = stablehlo.exponential %27 : tensor<2x24x24xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.reduce(%28 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<2x24x24xf32>, tensor<f32>) -> tensor<2x24xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1] : (tensor<2x24xf32>) -> tensor<2x24x1xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2] : (tensor<2x24x1xf32>) -> tensor<2x24x24xf32>
    %32 = stablehlo.divide %28, %31 : tensor<2x24x24xf32>
    %33 = stablehlo.dot_general %32, %8, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x24x24xf32>, tensor<2x24x16xf32>) -> tensor<2x24x16xf32>
    %34 = stablehlo.transpose %33, dims = [1, 0, 2] : (tensor<2x24x16xf32>) -> tensor<24x2x16xf32>
    %35 = stablehlo.reshape %34 : (tensor<24x2x16xf32>) -> tensor<24x32xf32>
    %36 = stablehlo.dot_general %35, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24x32xf32>, tensor<32x32xf32>) -> tensor<24x32xf32>
    %37 = stablehlo.add %arg0, %36 : tensor<24x32xf32>
    return %37 : tensor<24x32xf32>
  }
  func.func private @_where(%arg0: tensor<24x24xi1>, %arg1: tensor<2x24x24xf32>, %arg2: tensor<f32>) -> tensor<2x24x24xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<24x24xi1>) -> tensor<2x24x24xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x24x24xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x24x24xi1>, tensor<2x24x24xf32>
    return %3 : tensor<2x24x24xf32>
  }
}
