// tolerance: 0.001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums 1.25336153 0.427841888 0.149405917 -0.450399126 0.84938983 0.702325358 0.385668462 -0.236470295 0.232875417 0.00852373231 -0.176685123 0.0776928478 1.16952981 -0.559844926 0.0103360566 0.0678690508
// out: sums -0.54648012 0.125886412 0.54620073 -0.304609869 0.584380964 0.626368206 -0.0677849647 -0.252989811 0.0749040123 -0.0810839685 -0.364958343 -0.0735513019 -0.20894588 0.0162695788 -0.106763287 0.0381415263
// out: sums -20.8796825 -8.77462154 -10.6647534 -0.97734066 -1.22905179 -9.0962469 -15.1049096 -11.1342213 -14.4891855 -8.16361441 -11.9913767 -10.1854352 -5.57613349 2.65182029 -18.4594085 -9.18927225
// cost: 161 instructions, 3253146 ticks
module {
  func.func public @main(%arg0: tensor<1x150x16xf32>, %arg1: tensor<1x150x16xf32>, %arg2: tensor<1x150x16xf32>) -> (tensor<1x150x16xf32>, tensor<1x150x16xf32>, tensor<1x150x16xf32>) {
    %0 = stablehlo.iota dim = 0 : tensor<150xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<150xi32>) -> tensor<150x1xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<150x1xi32>
    %3 = stablehlo.add %1, %2 : tensor<150x1xi32>
    %4 = stablehlo.iota dim = 0 : tensor<150xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<150xi32>) -> tensor<1x150xi32>
    %6 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<150x1xi32>) -> tensor<150x150xi32>
    %7 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<1x150xi32>) -> tensor<150x150xi32>
    %8 = stablehlo.compare GE, %6, %7, SIGNED : (tensor<150x150xi32>, tensor<150x150xi32>) -> tensor<150x150xi1>
    %9 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x150x16xf32>, tensor<1x150x16xf32>) -> tensor<1x150x150xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x150x150xf32>
    %11 = stablehlo.multiply %9, %10 : tensor<1x150x150xf32>
    %cst_0 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %12:3 = call @_where(%8, %11, %cst_0) : (tensor<150x150xi1>, tensor<1x150x150xf32>, tensor<f32>) -> (tensor<1x150x150xf32>, tensor<1x150x150xi1>, tensor<1x150x150xf32>)
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %13 = stablehlo.reduce(%12#0 init: %cst_1) applies stablehlo.maximum across dimensions = [2] : (tensor<1x150x150xf32>, tensor<f32>) -> tensor<1x150xf32>
    %14 = stablehlo.reshape %13 : (tensor<1x150xf32>) -> tensor<1x150x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<1x150x1xf32>) -> tensor<1x150x150xf32>
    %16 = stablehlo.compare EQ, %12#0, %15, FLOAT : (tensor<1x150x150xf32>, tensor<1x150x150xf32>) -> tensor<1x150x150xi1>
    %17 = stablehlo.convert %16 : (tensor<1x150x150xi1>) -> tensor<1x150x150xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<1x150x150xf32>, tensor<f32>) -> tensor<1x150xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x150xf32>
    %20 = stablehlo.maximum %19, %13 : tensor<1x150xf32>
    %21 = stablehlo.compare EQ, %13, %20, FLOAT : (tensor<1x150xf32>, tensor<1x150xf32>) -> tensor<1x150xi1>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<1x150xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x150xf32>
    %24 = stablehlo.select %21, %22, %23 : tensor<1x150xi1>, tensor<1x150xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<1x150xf32>
    %26 = stablehlo.compare EQ, %25, %20, FLOAT : (tensor<1x150xf32>, tensor<1x150xf32>) -> tensor<1x150xi1>
    %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<1x150xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<1x150xf32>
    %29 = stablehlo.select %26, %27, %28 : tensor<1x150xi1>, tensor<1x150xf32>
    %30 = stablehlo.divide %24, %29 : tensor<1x150xf32>
    %31 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<1x150xf32>) -> tensor<1x150x1xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2] : (tensor<1x150x1xf32>) -> tensor<1x150x150xf32>
    %33 = stablehlo.subtract %12#0, %32 : tensor<1x150x150xf32>
    %34 = stablehlo.exponential %33 : tensor<1x150x150xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.reduce(%34 init: %cst_9) applies stablehlo.add across dimensions = [2] : (tensor<1x150x150xf32>, tensor<f32>) -> tensor<1x150xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1] : (tensor<1x150xf32>) -> tensor<1x150x1xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2] : (tensor<1x150x1xf32>) -> tensor<1x150x150xf32>
    %38 = stablehlo.divide %34, %37 : tensor<1x150x150xf32>
    %39 = stablehlo.multiply %36, %36 : tensor<1x150x1xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<1x150x1xf32>
    %41 = stablehlo.divide %40, %39 : tensor<1x150x1xf32>
    %42 = stablehlo.dot_general %38, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x150x150xf32>, tensor<1x150x16xf32>) -> tensor<1x150x16xf32>
    %43 = chlo.square %42 : tensor<1x150x16xf32> -> tensor<1x150x16xf32>
    %cst_11 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<1x150x16xf32>
    %45 = stablehlo.multiply %44, %42 : tensor<1x150x16xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %46 = stablehlo.reduce(%43 init: %cst_12) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x150x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<1x150x16xf32>
    %48 = stablehlo.multiply %47, %45 : tensor<1x150x16xf32>
    %49 = stablehlo.dot_general %48, %38, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x150x16xf32>, tensor<1x150x150xf32>) -> tensor<1x16x150xf32>
    %50 = stablehlo.transpose %49, dims = [0, 2, 1] : (tensor<1x16x150xf32>) -> tensor<1x150x16xf32>
    %51 = stablehlo.dot_general %48, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x150x16xf32>, tensor<1x150x16xf32>) -> tensor<1x150x150xf32>
    %52 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2] : (tensor<1x150x1xf32>) -> tensor<1x150x150xf32>
    %53 = stablehlo.multiply %51, %52 : tensor<1x150x150xf32>
    %54 = stablehlo.multiply %53, %34 : tensor<1x150x150xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %55 = stablehlo.reduce(%54 init: %cst_14) applies stablehlo.add across dimensions = [2] : (tensor<1x150x150xf32>, tensor<f32>) -> tensor<1x150xf32>
    %56 = stablehlo.reshape %55 : (tensor<1x150xf32>) -> tensor<1x150x1xf32>
    %57 = stablehlo.negate %56 : tensor<1x150x1xf32>
    %58 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2] : (tensor<1x150x1xf32>) -> tensor<1x150x150xf32>
    %59 = stablehlo.divide %51, %58 : tensor<1x150x150xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.reduce(%57 init: %cst_15) applies stablehlo.add across dimensions = [0, 2] : (tensor<1x150x1xf32>, tensor<f32>) -> tensor<150xf32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [1] : (tensor<150xf32>) -> tensor<1x150xf32>
    %62 = stablehlo.broadcast_in_dim %61, dims = [0, 1] : (tensor<1x150xf32>) -> tensor<1x150x150xf32>
    %63 = stablehlo.add %59, %62 : tensor<1x150x150xf32>
    %64 = stablehlo.multiply %63, %34 : tensor<1x150x150xf32>
    %65 = call @_where_0(%12#1, %12#2, %64) : (tensor<1x150x150xi1>, tensor<1x150x150xf32>, tensor<1x150x150xf32>) -> tensor<1x150x150xf32>
    %cst_16 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<1x150x150xf32>
    %67 = stablehlo.multiply %65, %66 : tensor<1x150x150xf32>
    %68 = stablehlo.dot_general %67, %arg0, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x150x150xf32>, tensor<1x150x16xf32>) -> tensor<1x150x16xf32>
    %69 = stablehlo.dot_general %67, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x150x150xf32>, tensor<1x150x16xf32>) -> tensor<1x150x16xf32>
    return %69, %68, %50 : tensor<1x150x16xf32>, tensor<1x150x16xf32>, tensor<1x150x16xf32>
  }
  func.func private @_where(%arg0: tensor<150x150xi1>, %arg1: tensor<1x150x150xf32>, %arg2: tensor<f32>) -> (tensor<1x150x150xf32>, tensor<1x150x150xi1>, tensor<1x150x150xf32>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<150x150xi1>) -> tensor<1x150x150xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x150x150xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<1x150x150xi1>, tensor<1x150x150xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x150x150xf32>
    return %3, %1, %4 : tensor<1x150x150xf32>, tensor<1x150x150xi1>, tensor<1x150x150xf32>
  }
  func.func private @_where_0(%arg0: tensor<1x150x150xi1>, %arg1: tensor<1x150x150xf32>, %arg2: tensor<1x150x150xf32>) -> tensor<1x150x150xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x150x150xf32>
    %1 = stablehlo.select %arg0, %arg2, %0 : tensor<1x150x150xi1>, tensor<1x150x150xf32>
    return %1 : tensor<1x150x150xf32>
  }
}
