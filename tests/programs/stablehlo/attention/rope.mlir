// tolerance: 0.0002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// in: draw 4 -1 9.5367431640625e-07 2097153
// in: draw 5 -1 9.5367431640625e-07 2097153
// out: sums -3.86248382 -2.04521862 0.741746472 -1.46760644 0.901224087 0.017691087 -0.573852742 -1.65804198 -2.07592732 -1.73738974 -1.60210305 3.8546079 -0.447729126 2.37808148 -4.36717996 -0.0627009126
// cost: 55 instructions, 2059159 ticks
module {
  func.func public @main(%arg0: tensor<2x20x16xf32>, %arg1: tensor<2x20x16xf32>, %arg2: tensor<2x20x16xf32>, %arg3: tensor<20x8xf32>, %arg4: tensor<20x8xf32>) -> (tensor<2x20x16xf32>) {
    %0 = stablehlo.slice %arg0 [0:2, 0:20, 0:8] : (tensor<2x20x16xf32>) -> tensor<2x20x8xf32>
    %1 = stablehlo.slice %arg0 [0:2, 0:20, 8:16] : (tensor<2x20x16xf32>) -> tensor<2x20x8xf32>
    %2 = stablehlo.broadcast_in_dim %arg3, dims = [1, 2] : (tensor<20x8xf32>) -> tensor<1x20x8xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2] : (tensor<1x20x8xf32>) -> tensor<2x20x8xf32>
    %4 = stablehlo.multiply %0, %3 : tensor<2x20x8xf32>
    %5 = stablehlo.broadcast_in_dim %arg4, dims = [1, 2] : (tensor<20x8xf32>) -> tensor<1x20x8xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<1x20x8xf32>) -> tensor<2x20x8xf32>
    %7 = stablehlo.multiply %1, %6 : tensor<2x20x8xf32>
    %8 = stablehlo.subtract %4, %7 : tensor<2x20x8xf32>
    %9 = stablehlo.broadcast_in_dim %arg3, dims = [1, 2] : (tensor<20x8xf32>) -> tensor<1x20x8xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<1x20x8xf32>) -> tensor<2x20x8xf32>
    %11 = stablehlo.multiply %1, %10 : tensor<2x20x8xf32>
    %12 = stablehlo.broadcast_in_dim %arg4, dims = [1, 2] : (tensor<20x8xf32>) -> tensor<1x20x8xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<1x20x8xf32>) -> tensor<2x20x8xf32>
    %14 = stablehlo.multiply %0, %13 : tensor<2x20x8xf32>
    %15 = stablehlo.add %11, %14 : tensor<2x20x8xf32>
    %16 = stablehlo.concatenate %8, %15, dim = 2 : (tensor<2x20x8xf32>, tensor<2x20x8xf32>) -> tensor<2x20x16xf32>
    %17 = stablehlo.slice %arg1 [0:2, 0:20, 0:8] : (tensor<2x20x16xf32>) -> tensor<2x20x8xf32>
    %18 = stablehlo.slice %arg1 [0:2, 0:20, 8:16] : (tensor<2x20x16xf32>) -> tensor<2x20x8xf32>
    %19 = stablehlo.broadcast_in_dim %arg3, dims = [1, 2] : (tensor<20x8xf32>) -> tensor<1x20x8xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<1x20x8xf32>) -> tensor<2x20x8xf32>
    %21 = stablehlo.multiply %17, %20 : tensor<2x20x8xf32>
    %22 = stablehlo.broadcast_in_dim %arg4, dims = [1, 2] : (tensor<20x8xf32>) -> tensor<1x20x8xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2] : (tensor<1x20x8xf32>) -> tensor<2x20x8xf32>
    %24 = stablehlo.multiply %18, %23 : tensor<2x20x8xf32>
    %25 = stablehlo.subtract %21, %24 : tensor<2x20x8xf32>
    %26 = stablehlo.broadcast_in_dim %arg3, dims = [1, 2] : (tensor<20x8xf32>) -> tensor<1x20x8xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2] : (tensor<1x20x8xf32>) -> tensor<2x20x8xf32>
    %28 = stablehlo.multiply %18, %27 : tensor<2x20x8xf32>
    %29 = stablehlo.broadcast_in_dim %arg4, dims = [1, 2] : (tensor<20x8xf32>) -> tensor<1x20x8xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2] : (tensor<1x20x8xf32>) -> tensor<2x20x8xf32>
    %31 = stablehlo.multiply %17, %30 : tensor<2x20x8xf32>
    %32 = stablehlo.add %28, %31 : tensor<2x20x8xf32>
    %33 = stablehlo.concatenate %25, %32, dim = 2 : (tensor<2x20x8xf32>, tensor<2x20x8xf32>) -> tensor<2x20x16xf32>
    %34 = stablehlo.iota dim = 0 : tensor<20xi32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0] : (tensor<20xi32>) -> tensor<20x1xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %36 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<20x1xi32>
    %37 = stablehlo.add %35, %36 : tensor<20x1xi32>
    %38 = stablehlo.iota dim = 0 : tensor<20xi32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [1] : (tensor<20xi32>) -> tensor<1x20xi32>
    %40 = stablehlo.broadcast_in_dim %37, dims = [0, 1] : (tensor<20x1xi32>) -> tensor<20x20xi32>
    %41 = stablehlo.broadcast_in_dim %39, dims = [0, 1] : (tensor<1x20xi32>) -> tensor<20x20xi32>
    %42 = stablehlo.compare GE, %40, %41, SIGNED : (tensor<20x20xi32>, tensor<20x20xi32>) -> tensor<20x20xi1>
    %43 = stablehlo.dot_general %16, %33, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x20x16xf32>, tensor<2x20x16xf32>) -> tensor<2x20x20xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x20x20xf32>
    %45 = stablehlo.multiply %43, %44 : tensor<2x20x20xf32>
    %cst_0 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %46 = call @_where(%42, %45, %cst_0) : (tensor<20x20xi1>, tensor<2x20x20xf32>, tensor<f32>) -> tensor<2x20x20xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %47 = stablehlo.reduce(%46 init: %cst_1) applies stablehlo.maximum across dimensions = [2] : (tensor<2x20x20xf32>, tensor<f32>) -> tensor<2x20xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x20xf32>
    %49 = stablehlo.maximum %48, %47 : tensor<2x20xf32>
    %50 = stablehlo.broadcast_in_dim %49, dims = [0, 1] : (tensor<2x20xf32>) -> tensor<2x20x1xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2] : (tensor<2x20x1xf32>) -> tensor<2x20x20xf32>
    %52 = stablehlo.subtract %46, %51 : tensor<2x20x20xf32>
    %53 = stablehlo.exponential %52 : tensor<2x20x20xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = stablehlo.reduce(%53 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<2x20x20xf32>, tensor<f32>) -> tensor<2x20xf32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [0, 1] : (tensor<2x20xf32>) -> tensor<2x20x1xf32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [0, 1, 2] : (tensor<2x20x1xf32>) -> tensor<2x20x20xf32>
    %57 = stablehlo.divide %53, %56 : tensor<2x20x20xf32>
    %58 = stablehlo.dot_general %57, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x20x20xf32>, tensor<2x20x16xf32>) -> tensor<2x20x16xf32>
    return %58 : tensor<2x20x16xf32>
  }
  func.func private @_where(%arg0: tensor<20x20xi1>, %arg1: tensor<2x20x20xf32>, %arg2: tensor<f32>) -> tensor<2x20x20xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<20x20xi1>) -> tensor<2x20x20xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x20x20xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x20x20xi1>, tensor<2x20x20xf32>
    return %3 : tensor<2x20x20xf32>
  }
}
